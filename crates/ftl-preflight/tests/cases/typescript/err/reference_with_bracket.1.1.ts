/// <reference (lib="es5" />
