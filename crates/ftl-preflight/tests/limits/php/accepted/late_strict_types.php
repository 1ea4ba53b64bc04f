<?php // c
?>
<?php declare(strict_types=1);
