/** In milliseconds: a timer of Node takes no more, and fires at once when it is given more. */
export const LONGEST_TIMER = 2 ** 31 - 1;
