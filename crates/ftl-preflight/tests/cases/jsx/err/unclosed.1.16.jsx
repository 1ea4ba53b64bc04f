const a = <div>;
