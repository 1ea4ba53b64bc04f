do goto missing end
