for (;;) {
  const f = () => {
    inner: for (;;) {
      switch (1) {
        case 1:
          continue inner;
        default:
          break;
      }
      break;
    }
  };
  break;
}
