class A
  def b
  end
