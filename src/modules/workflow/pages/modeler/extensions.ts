import type { Editor, Part, Shape } from './editor.ts'

const allOf = (part: Part): readonly Part[] => part.get<Part>('extensionElements')?.get<Part[]>('values') ?? []

/** The extension elements of one kind that stand at a part. */
export const extensionsOf = (part: Part, type: string): readonly Part[] => allOf(part).filter(one => one.$type === type)

/** Replaces those of one kind; what other programs have written there stays. */
export function setExtensions(editor: Editor, shape: Shape, of: { type: string; parts: readonly Part[] }): void {
  const { businessObject } = shape
  const values = [...allOf(businessObject).filter(one => one.$type !== of.type), ...of.parts]
  const holder = editor.make('bpmn:ExtensionElements', { values }, businessObject)
  for (const one of values) Object.assign(one, { $parent: holder })
  editor.set(shape, { extensionElements: values.length > 0 ? holder : undefined })
}

/** A parameter of what a service task does. */
export interface Parameter {
  readonly name: string
  readonly value: string
}

const field = 'flowable:Field'

/** The parameters that stand at a service task. */
export const parametersOf = (part: Part): Parameter[] =>
  extensionsOf(part, field).map(one => ({
    name: one.get<string>('name') ?? '',
    value: one.get<string>('stringValue') ?? one.get<string>('string') ?? one.get<string>('expression') ?? '',
  }))

/** Writes the parameters of a service task; one with a variable in it is an expression. */
export function setParameters(editor: Editor, shape: Shape, all: readonly Parameter[]): void {
  const parts = all.map(({ name, value }) =>
    editor.make(field, { name, [/[$#]\{/.test(value) ? 'expression' : 'string']: value }),
  )
  setExtensions(editor, shape, { type: field, parts })
}

/** A field of a form that a model describes by itself. */
export interface OwnField {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly writable: boolean
  readonly default: string
  /** Choices of an enumeration. */
  readonly values: readonly { readonly id: string; readonly name: string }[]
}

const formProperty = 'flowable:FormProperty'

/** The fields that stand at a step. */
export const ownFieldsOf = (part: Part): OwnField[] =>
  extensionsOf(part, formProperty).map(one => ({
    id: one.get<string>('id') ?? '',
    name: one.get<string>('name') ?? '',
    type: one.get<string>('type') ?? 'string',
    required: one.get<string>('required') === 'true',
    writable: one.get<string>('writable') !== 'false',
    default: one.get<string>('default') ?? '',
    values: (one.get<Part[]>('values') ?? []).map(value => ({
      id: value.get<string>('id') ?? '',
      name: value.get<string>('name') ?? '',
    })),
  }))

/** Writes the fields of a step. What is as usual is left out. */
export function setOwnFields(editor: Editor, shape: Shape, all: readonly OwnField[]): void {
  const parts = all.map(one =>
    editor.make(formProperty, {
      id: one.id,
      name: one.name,
      type: one.type,
      required: one.required ? 'true' : undefined,
      writable: one.writable ? undefined : 'false',
      default: one.default || undefined,
      values: one.type === 'enum' ? one.values.map(value => editor.make('flowable:Value', value)) : [],
    }),
  )
  for (const part of parts)
    for (const value of part.get<Part[]>('values') ?? []) Object.assign(value, { $parent: part })
  setExtensions(editor, shape, { type: formProperty, parts })
}
