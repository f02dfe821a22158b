import { Descriptions } from 'antd'
import type { ReactNode } from 'react'
import { fieldOf, file, type Resource } from '#engine'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Cell } from '../../../../screens/fields/cells.tsx'
import { namedCell } from '../../../../screens/fields/named-cell.ts'
import type { WireRow } from '../../../../screens/fields/props.ts'
import { type OwnField, resourceOfForm, type StepForm } from './form-resources.ts'

/** Side by side where there is more than one. */
const columnsFor = (items: readonly unknown[]) => ({ xs: 1, sm: Math.min(items.length, 2) })
/** Kinds of fields that take the whole width. */
const wide = new Set(['json', 'longText', 'richText'])

function EntityFacts({ resource, row }: { resource: Resource; row: WireRow }): ReactNode {
  const t = useT()
  const { entity } = resource
  const inputs = resource.form.flatMap(group => group.inputs)
  const others = resource.columns.filter(
    one => one.field !== 'createUser' && !inputs.some(({ field }) => field === one.field),
  )
  const items = [...inputs, ...others].flatMap(({ field: name }) => {
    const field = fieldOf(entity, name)
    if (!field || row[name] === undefined) return []
    return {
      key: name,
      label: t(field.title),
      span: wide.has(field.kind) ? ('filled' as const) : 1,
      children: <Cell field={field} name={name} row={row} where="detail" as={namedCell(resource, name)} />,
    }
  })
  return <Descriptions size="small" bordered column={columnsFor(items)} items={items} />
}

function wordOf({ type, values }: OwnField, value: unknown, say: (text: string) => string): string {
  if (value === undefined || value === null || value === '') return '—'
  if (type === 'boolean') return say(value === true || value === 'true' ? '是' : '否')
  if (type === 'enum') return say(values?.find(one => one.id === value)?.name ?? String(value))
  return String(value)
}

/** What has been filled in, to look at. */
export function FormFacts({ of }: { of: StepForm }): ReactNode {
  const t = useT()
  const resource = resourceOfForm(of.key)
  if (resource) return <EntityFacts resource={resource} row={of.values as WireRow} />
  const values = of.values as Readonly<Record<string, unknown>>
  const items = of.fields
    .filter(one => one.readable)
    .map(one => ({
      key: one.id,
      label: t(one.name),
      children:
        one.type === 'file' ? (
          <Cell field={file(one.name)} name={one.id} row={values as WireRow} where="detail" />
        ) : (
          wordOf(one, values[one.id], t)
        ),
    }))
  return items.length > 0 ? <Descriptions size="small" bordered column={columnsFor(items)} items={items} /> : null
}
