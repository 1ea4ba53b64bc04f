#!/usr/bin/env php
<?php
declare(strict_types=1);

namespace App\Model;

use InvalidArgumentException as Bad;

#[Attribute]
final readonly class Point implements \Stringable
{
    public const string ORIGIN = "0";

    public function __construct(private int|float $x = 0, protected ?self $next = null) {}

    public function __toString(): string
    {
        return match (true) {
            $this->x > 0 => "x: {$this->x} ${name} $array[key]",
            default => <<<TEXT
                none of {$this->next?->x}
                TEXT,
        };
    }
}

enum Suit: string { case Hearts = 'H'; }

function &numbers(int ...$all): iterable {
    foreach ($all as $key => ['a' => $a, 'b' => $b]) { yield $key => $a ?? throw new Bad(); }
}
$double = fn($x) => $x * 2;
goto end;
end:
?>
<p><?= $double(1) ?></p>
<?php if ($a): ?>yes<?php elseif ($b): ?>no<?php endif;
