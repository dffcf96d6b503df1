import { IsInt } from 'class-validator';
import { Action, Field, Module, ToolGroup } from 'toolwright';

class Add {
  @IsInt() @Field('The first number') a!: number;
  @IsInt() b!: number;
}

@ToolGroup('math')
class MathTools {
  @Action('Adds two numbers')
  add(input: Add): number {
    return input.a + input.b;
  }
}

@Module({ controllers: [MathTools] })
export class MathModule {}
