// The tools and prompts of "task-board", for connect<TaskBoard>() of toolwright/client.
// Written by `toolwright export --for client`: write it again when the server has changed.

export type TaskBoard = {
  tools: {
    /** Manage tasks */
    tasks: {
      /** Create a task */
      create: {
        input: {
          action: 'create';
          /** What there is to do */
          title: string;
          priority?: number;
        };
        output: { id: number; title: string };
      };
      /** All titles */
      list: {
        input: { action: 'list' };
        output: { titles: string[] };
      };
      /** Do it */
      finish: {
        input: { action: 'finish'; id: number };
        output: { [key: string]: unknown };
      };
    };
    clock_now: {
      /** The time */
      '': {
        input: { [key: string]: never };
        output: { [key: string]: unknown };
      };
    };
  };
  prompts: {
    /** Sum up a week */
    weekly: {
      week: string;
      tone?: string;
    };
  };
  choice: 'action';
};
