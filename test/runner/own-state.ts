/** A helper that keeps state, as a suite may. */
let count = 0;

export const counter = {
  add: (): number => {
    count += 1;
    return count;
  },
};
