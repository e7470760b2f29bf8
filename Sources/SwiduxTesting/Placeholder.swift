// Replaced by the first file of SwiduxTesting.
