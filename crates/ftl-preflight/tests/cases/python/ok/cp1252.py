#!/usr/bin/env python
# coding: cp1252
name = "“quoted”"
