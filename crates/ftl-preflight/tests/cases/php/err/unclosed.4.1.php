<?php
if ($a) {
  b();
