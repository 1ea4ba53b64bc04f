const a = <b
  c={1}
  c={2}
/>;
