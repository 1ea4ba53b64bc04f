#!/usr/bin/env ruby
# encoding: US-ASCII
BEGIN { puts 1 }
class A < B::C
  attr_reader :é
  def self.[](x, *rest, key: 1, **options, &block) = x + 1
  def a(...) = b(...)
  def value
    return if @x ||= y&.z
    case [1, [2, {a: 3}]]
    in [Integer => n, [_, {a:}]] if n > 0 then a
    else nil
    end
  rescue E, F => e
    retry unless e
  ensure
    p(<<~ONE, <<-'TWO')
      text #{"a #{b} c"} (
    ONE
      raw #{
      TWO
  end
end
x = %w[a b].map { _1.to_s =~ /(["'])/ ? "y" : ?a }
  .select(&:z)
puts %q(a (b) c), :"a b", 1_000r, 2i, ->(a; b) { }, y / 2
while true do break end
begin; end until false
__END__
anything (
