No script in here: <?xml version="1.0"?>
