"""cpnlint: static readiness checks for NumPy code on its way to cuPyNumeric. The program itself is native."""
