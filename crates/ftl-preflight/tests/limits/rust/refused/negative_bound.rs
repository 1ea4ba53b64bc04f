fn f<T: !Copy>() {}
