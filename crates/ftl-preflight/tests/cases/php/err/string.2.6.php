<?php
$a = "b;
