import { getMetadataStorage, IsString } from 'class-validator';

/** A helper that keeps state, as a suite may. */
let count = 0;

export const counter = {
  add: (): number => {
    count += 1;
    return count;
  },
};

export class OfOneSuite {
  @IsString() name!: string;
}

/** The classes of a name that class-validator knows. */
export function classesCalled(name: string): readonly unknown[] {
  const { validationMetadatas } = getMetadataStorage() as unknown as {
    readonly validationMetadatas: ReadonlyMap<{ readonly name: string }, unknown>;
  };
  return [...validationMetadatas.keys()].filter((type) => type.name === name);
}
