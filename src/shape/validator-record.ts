export interface ValidatorInstance {
  validate(value: unknown, args: object): unknown;
  defaultMessage?(args: object): string;
}

/** A validator, as the storage of class-validator keeps it. */
export interface StoredValidator {
  readonly name: string;
  readonly async: boolean;
  readonly instance: ValidatorInstance;
  readonly target: new () => ValidatorInstance;
}

/** What stands behind one validator: its name and, lazily, the instance. */
export class ValidatorRecord {
  readonly #stored: StoredValidator;
  #instance: ValidatorInstance | undefined;

  constructor(stored: StoredValidator) {
    this.#stored = stored;
  }

  get name(): string {
    return this.#stored.name;
  }

  /** The class that class-validator made for one use of a decorator; undefined for a class of the user. */
  get madeFor(): (new () => ValidatorInstance) | undefined {
    return isOwnClass(this.#stored) ? this.#stored.target : undefined;
  }

  get async(): boolean {
    return this.#stored.async;
  }

  get instance(): ValidatorInstance {
    return (this.#instance ??= instanceOf(this.#stored));
  }

  /** What the container gives at that moment, as class-validator asks it for every value. */
  get current(): ValidatorInstance {
    return isOwnClass(this.#stored) ? this.instance : this.#stored.instance;
  }
}

/**
 * class-validator searches all its instances for every answer. The classes that it makes itself of the
 * functions it is given need nothing from a container; others may come from one that is not ready yet.
 */
function instanceOf(validator: StoredValidator): ValidatorInstance {
  return isOwnClass(validator) ? new validator.target() : validator.instance;
}

function isOwnClass({ target }: StoredValidator): boolean {
  return target.name === 'CustomConstraint' && target.length === 0;
}
