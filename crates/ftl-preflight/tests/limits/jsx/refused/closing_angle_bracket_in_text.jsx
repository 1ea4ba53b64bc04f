<div>></div>;
