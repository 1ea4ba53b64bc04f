a as any = 1;
