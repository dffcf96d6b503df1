/** A decorator made by `createDecorator`: it puts a value on a class or a method. */
export interface UserDecorator<T> {
  (value: T): ClassDecorator & MethodDecorator;
  readonly decoratorName: string;
}

/** One use of a user decorator in an application. */
export interface UserDecoratorValue<T = unknown> {
  readonly decorator: UserDecorator<T>;
  readonly value: T;
}
