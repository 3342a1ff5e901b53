// The classes of an element in one string: those that hold, without what is empty or false.

export const classes = (...names) => names.filter(Boolean).join(' ');
