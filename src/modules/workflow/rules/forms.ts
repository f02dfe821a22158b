import { engineAttribute, extensionsOf } from './element.ts'
import { isVariableName } from './expression.ts'
import type { Form, FormField } from './flow-graph.ts'
import { FlowProblem } from './problem.ts'
import { about } from './supported-elements.ts'
import { attribute, type XmlElement } from './xml.ts'

/** The form that has fields of its own only. */
const generic = 'generic'

const types: readonly FormField['type'][] = ['string', 'long', 'double', 'boolean', 'date', 'enum']
const datePatterns = ['yyyy-MM-dd', 'yyyy-MM-dd HH:mm', 'yyyy-MM-dd HH:mm:ss']

function flag(element: XmlElement, name: string, otherwise: boolean): boolean {
  const text = attribute(element, name)?.trim()
  if (text === undefined || text === '') return otherwise
  if (text !== 'true' && text !== 'false') throw new FlowProblem(`${name}应为true或false`)
  return text === 'true'
}

/** The same as `default` of a field would be read. @throws FlowProblem for a text that a field of the type cannot have */
function requireDefault(type: FormField['type'], text: string, ids: readonly string[]): void {
  const isRight: Record<FormField['type'], () => boolean> = {
    string: () => !/[$#]\{/.test(text),
    long: () => /^-?\d{1,15}$/.test(text),
    double: () => /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text),
    boolean: () => text === 'true' || text === 'false',
    date: () => /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?$/.test(text),
    enum: () => ids.includes(text),
  }
  if (!isRight[type]()) throw new FlowProblem(`默认值不正确：${text.slice(0, 50)}`)
}

function readField(element: XmlElement): FormField {
  return about(element, () => {
    const id = attribute(element, 'id')?.trim() ?? ''
    if (!isVariableName(id)) throw new FlowProblem(`字段编号不正确：${id.slice(0, 50)}`)
    const variable = attribute(element, 'variable')?.trim() || id
    if (variable !== id) throw new FlowProblem('不支持属性variable')
    const type = (attribute(element, 'type')?.trim() || 'string') as FormField['type']
    if (!types.includes(type)) throw new FlowProblem(`不支持字段类型${type.slice(0, 50)}`)
    const pattern = attribute(element, 'datePattern')?.trim()
    if (pattern && !datePatterns.includes(pattern)) throw new FlowProblem(`不支持日期格式${pattern.slice(0, 50)}`)
    const values = element.children
      .filter(({ kind }) => kind === 'value')
      .map(one => ({ id: attribute(one, 'id')?.trim() ?? '', name: attribute(one, 'name')?.trim() ?? '' }))
      .map(one => ({ id: one.id, name: one.name || one.id }))
    if (type === 'enum' && values.length === 0) throw new FlowProblem('枚举字段缺少选项')
    const ids = values.map(one => one.id)
    if (ids.includes('') || new Set(ids).size < ids.length) throw new FlowProblem('选项编号为空或重复')
    const preset = attribute(element, 'default')?.trim()
    if (preset) requireDefault(type, preset, ids)
    return {
      id,
      name: attribute(element, 'name')?.trim() || id,
      type,
      required: flag(element, 'required', false),
      readable: flag(element, 'readable', true),
      writable: flag(element, 'writable', true),
      ...(preset && { default: preset }),
      ...(type === 'enum' && { values }),
    }
  })
}

/**
 * What is filled in at a step; undefined for nothing.
 * @param forms names of entities that are registered as forms
 * @throws FlowProblem for a form that is not there
 */
export function readForm(element: XmlElement, forms: readonly string[]): Form | undefined {
  const key = engineAttribute(element, 'formKey') ?? null
  const fields = extensionsOf(element, 'formProperty').map(readField)
  if (key === null && fields.length === 0) return undefined
  return about(element, () => {
    if (key !== null && key !== generic && !forms.includes(key))
      throw new FlowProblem(`没有名为${key.slice(0, 50)}的表单`)
    const ids = fields.map(({ id }) => id)
    const twice = ids.find((id, at) => ids.indexOf(id) !== at)
    if (twice !== undefined) throw new FlowProblem(`字段${twice}重复`)
    return { key, fields }
  })
}
