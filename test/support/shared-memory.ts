import {
  InMemoryBus,
  InMemoryEventStore,
  InMemoryLimitStore,
  InMemorySlotStore,
  InMemoryStore,
  InMemoryTaskStore,
  type Backplane,
  type BackplaneApplication,
  type BackplanePorts,
} from 'toolwright';

/** A backplane for the replicas of one process: each of them opens it, and they share what is in it. */
export class SharedMemory implements Backplane {
  readonly ports = {
    bus: new InMemoryBus(),
    store: new InMemoryStore(),
    events: new InMemoryEventStore(),
    counter: new InMemoryLimitStore(),
    slots: new InMemorySlotStore(),
    tasks: new InMemoryTaskStore(),
  } satisfies BackplanePorts;
  /** Who opened it, and has not closed it again. */
  readonly users: BackplaneApplication[] = [];

  async open(application: BackplaneApplication): Promise<BackplanePorts> {
    this.users.push(application);
    const close = async (): Promise<void> => {
      this.users.splice(this.users.indexOf(application), 1);
    };
    return { ...this.ports, close };
  }
}
