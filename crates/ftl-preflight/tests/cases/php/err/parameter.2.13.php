<?php
function f( { }
