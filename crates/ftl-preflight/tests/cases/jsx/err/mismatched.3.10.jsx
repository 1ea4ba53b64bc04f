const a = (
  <div>
    <b></i>
  </div>
);
