import { IsArray, IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { Action, Injectable, Module, ToolGroup, type Class } from 'toolwright';

/** A new class at every call, as an application has one for every action. */
function createInput(): Class {
  class Input {
    @IsInt() @Min(1) id!: number;
    @IsString() @MaxLength(100) title!: string;
    @IsOptional() @IsArray() @IsString({ each: true }) labels?: string[];
  }
  return Input;
}

function createController(number: number, actions: number): readonly [Class, Class] {
  @Injectable()
  class Store {}
  @ToolGroup({ name: `group${number}` })
  class Controller {
    constructor(readonly store: Store) {}
  }
  const { prototype } = Controller;
  for (let action = 1; action <= actions; action += 1) {
    const method = `action${action}`;
    const descriptor = { value: () => 'done', configurable: true, writable: true };
    Object.defineProperty(prototype, method, descriptor);
    Action({ description: `Does thing ${action}`, input: createInput() })(prototype, method, descriptor);
  }
  return [Controller, Store];
}

/** A module of controllers, each with its own provider, and each action with an input class of its own. */
export function manyControllers(count: number, actions: number): Class {
  const pairs = Array.from({ length: count }, (_, index) => createController(index + 1, actions));
  class LargeModule {}
  Module({ controllers: pairs.map(([type]) => type), providers: pairs.map(([, store]) => store) })(
    LargeModule,
  );
  return LargeModule;
}
