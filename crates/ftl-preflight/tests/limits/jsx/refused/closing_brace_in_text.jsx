<div>}</div>;
