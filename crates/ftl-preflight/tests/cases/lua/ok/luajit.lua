local a = 1ULL + 0x10LL + 2i
goto done
::done::
