import type { RJSFValidationError } from '@rjsf/utils'
import { type Field, idCardProblem, missingMessage, phoneProblem, type Resource } from '#engine'
import { t } from '../platform/i18n/i18n.ts'
import { isEmpty, type WireRow } from './fields/props.ts'
import { type FormRows, rowsIn } from './form-rows.ts'
import { fieldAt, type Values, visibleFields } from './form-values.ts'

/** What a missing value is told: the checks of ID and phone numbers have words of their own. */
export function missingText(field: Field): string {
  if (field.format === 'idCard') return t(idCardProblem('') ?? '')
  if (field.format === 'phone') return t(phoneProblem('') ?? '')
  const begin = missingMessage({ ...field, title: '' })
  return t(`${begin}{{label}}`, { label: t(field.title) })
}

/** What a value of a wrong form is told. */
export function formatText(field: Field, value: unknown): string {
  const text = String(value ?? '')
  if (field.format === 'idCard') return t(idCardProblem(text) ?? '')
  if (field.format === 'phone') return t(phoneProblem(text) ?? '')
  return field.format === 'email' ? t('邮箱格式不正确') : t('{{label}}格式不正确', { label: t(field.title) })
}

/** The words for each rule of a schema that a value can break. */
function textOf(keyword: string, field: Field, value: unknown): string {
  if (keyword === 'required' || (keyword === 'minLength' && !value)) return missingText(field)
  if (keyword === 'maxLength') return t('不能超过 {{n}} 个字', { n: field.maxLength })
  if (keyword === 'minLength') return t('不能少于 {{n}} 个字', { n: field.minLength })
  if (keyword === 'minimum') return t('不能小于 {{n}}', { n: field.minimum })
  if (keyword === 'maximum') return t('不能大于 {{n}}', { n: field.maximum })
  return keyword === 'enum' || keyword === 'type' ? missingText(field) : formatText(field, value)
}

/** The input an error is about. */
export const nameOf = (error: RJSFValidationError): string =>
  error.property?.replace(/^\./, '') ?? String(error.params?.missingProperty ?? '')

/** Inputs that are shown because their field is required now, and that hold nothing. */
export function missingInputs({ entity, form }: Resource, values: Values): RJSFValidationError[] {
  const asked = form.flatMap(({ inputs }) => inputs).filter(({ field }) => entity.requiredWhen[field])
  return asked
    .filter(({ field }) => isEmpty(values[field]))
    .map(({ field }) => ({ name: 'required', params: { missingProperty: field }, stack: '' }))
}

/**
 * The validator's findings as people read them. Left out are inputs that are not shown, a password not changed, and a
 * masked number not changed, which the server takes as "unchanged".
 */
export function messagesOf(
  errors: readonly RJSFValidationError[],
  resource: Resource,
  values: Values,
  row: WireRow | null,
): RJSFValidationError[] {
  const shown = visibleFields(resource, values)
  const counts = (error: RJSFValidationError): boolean => {
    const name = nameOf(error)
    if (!shown.has(name)) return false
    const { kind } = fieldAt(resource, name)
    if (row && kind === 'secret' && error.name === 'required') return false
    return !(row && kind === 'sealed' && values[name] === row[name])
  }
  return errors.filter(counts).map(error => {
    const name = nameOf(error)
    const message = textOf(error.name ?? '', fieldAt(resource, name), values[name])
    return { ...error, message, stack: message }
  })
}

/** The same of the rows that a form holds beside its own: each error is told of the input in its row. */
export function rowMessagesOf(
  errors: readonly RJSFValidationError[],
  rows: readonly FormRows[],
  values: Values,
): RJSFValidationError[] {
  return rows.flatMap(one => {
    const { child, resource, before } = one
    return rowsIn(values, one).flatMap((row, at) => {
      const path = `${child.resource}.${at}.`
      const own = errors.filter(error => nameOf(error).startsWith(path))
      const inRow = own.map(error => ({ ...error, property: `.${nameOf(error).slice(path.length)}` }))
      const known = before.find(other => other.id === row.id) ?? null
      const said = messagesOf([...inRow, ...missingInputs(resource, row)], resource, row, known)
      return said.map(error => ({ ...error, property: `.${path}${nameOf(error)}` }))
    })
  })
}
