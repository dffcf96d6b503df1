// What class-transformer (0.5.1, frozen upstream) runs in `plainToInstance`, as far as it is used here.
declare module 'class-transformer/cjs/TransformOperationExecutor.js' {
  export class TransformOperationExecutor {
    constructor(transformation: number, options: object);
    transform(source: undefined, value: unknown, target: unknown): unknown;
    protected getKeys(target: unknown, object: object, isMap: boolean | undefined): string[];
  }
}
