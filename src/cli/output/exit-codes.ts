/** What the exit code of a command means. */
export const EXIT = Object.freeze({
  done: 0,
  /** Problems of an application, a difference, a budget that is exceeded. */
  finding: 1,
  /** An unknown option, no such file, a file without an application. */
  usage: 2,
  /** The server asks for authentication. */
  unauthorized: 3,
  /** The server refused the connection, did not answer in time, or does not speak the protocol. */
  unreachable: 4,
  /** The call was answered with an error, or there is nothing of that name. */
  refused: 5,
  /** A mistake of the command itself. */
  bug: 70,
  interrupted: 130,
  terminated: 143,
});

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
