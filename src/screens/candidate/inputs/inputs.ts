import type { ReactNode } from 'react'
import type { FormInputType } from '#schemas/dictionaries/sign-up'
import { ChecksInput, RadioInput, SelectInput } from './ChoiceInput.tsx'
import { DateInput, MonthInput } from './DateInput.tsx'
import { CascadeInput, RegionInput } from './LevelsInput.tsx'
import type { InputProps } from './props.ts'
import { SchoolInput } from './SchoolInput.tsx'
import { LongTextInput, NumberInput, TextInput } from './TextInput.tsx'

/** How each kind of an exam's own form is entered: with the device's own controls. Tables and notes hold no input. */
export const inputs: Readonly<
  Record<Exclude<keyof typeof FormInputType, 'table' | 'note'>, (props: InputProps) => ReactNode>
> = {
  text: TextInput,
  longText: LongTextInput,
  number: NumberInput,
  date: DateInput,
  month: MonthInput,
  radio: RadioInput,
  checks: ChecksInput,
  select: SelectInput,
  cascade: CascadeInput,
  region: RegionInput,
  idCard: TextInput,
  phone: TextInput,
  school: SchoolInput,
}
