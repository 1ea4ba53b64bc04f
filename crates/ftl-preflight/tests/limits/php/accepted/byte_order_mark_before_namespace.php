<?php
namespace A;
