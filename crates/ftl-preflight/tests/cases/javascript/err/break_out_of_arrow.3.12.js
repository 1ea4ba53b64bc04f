for (const a of b) {
  a.forEach((c) => {
    if (c) break;
  });
}
