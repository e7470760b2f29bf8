// Replaced by the first file of SheafTUI.
