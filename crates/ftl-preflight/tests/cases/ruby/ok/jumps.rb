items.each { |it| next if it; break }
def m
  yield 1
  begin
    f
  rescue
    [1].each { retry }
  end
end
loop = -> { break }
redo while x
class << self; def y; yield; end; end
a =~ /\A[^\]\[()]+(?:b|c)*+\z/x
