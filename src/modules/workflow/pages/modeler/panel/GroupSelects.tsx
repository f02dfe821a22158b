import { Select } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../../../../platform/i18n/i18n.ts'
import { RefSelect } from '../../../../../screens/fields/RefSelect.tsx'
import { staffOnly } from '../../staff-only.ts'
import { type Groups, listed } from '../people.ts'
import { useChoices } from './choices.ts'
import { Row } from './rows.tsx'

interface NamesProps {
  label: string
  value: readonly string[]
  options: readonly { readonly value: string; readonly label: string }[]
  onChange: (value: string[]) => void
}

/** Several of a few that are called by a name of their own; one that is no longer there stays until it is taken away. */
function Names({ label, value, options, onChange }: NamesProps): ReactNode {
  const t = useT()
  return (
    <Row label={label}>
      {id => (
        <Select
          id={id}
          mode="multiple"
          allowClear
          placeholder={t('请选择')}
          value={[...value]}
          options={options.map(one => ({ ...one, label: t(one.label) }))}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={(next: string[]) => onChange(next)}
        />
      )}
    </Row>
  )
}

interface PeopleRowProps {
  label: string
  value: string
  onChange: (value: string) => void
  help?: string
  required?: boolean
}

/** Several people; `value` is their ids with commas. */
export function PeopleRow(props: PeopleRowProps) {
  const { label, value, onChange, help, required = false } = props
  return (
    <Row label={label} help={help ?? ''} required={required}>
      {id => (
        <RefSelect
          entity="user"
          params={staffOnly}
          multiple
          id={id}
          value={value || undefined}
          onChange={next => onChange(next ?? '')}
        />
      )}
    </Row>
  )
}

interface GroupsProps {
  value: Groups
  onChange: (value: Groups) => void
}

/** Roles, departments and posts. */
export function GroupRows({ value, onChange }: GroupsProps): ReactNode {
  const choices = useChoices()
  const roles = (choices?.roles ?? []).map(({ roleAlias, roleName }) => ({ value: roleAlias, label: roleName }))
  const posts = (choices?.posts ?? []).map(({ postCode, postName }) => ({ value: postCode, label: postName }))
  return (
    <>
      <Names label="角色" value={value.roles} options={roles} onChange={next => onChange({ ...value, roles: next })} />
      <Row label="部门">
        {id => (
          <RefSelect
            entity="dept"
            multiple
            id={id}
            value={value.depts.join(',') || undefined}
            onChange={next => onChange({ ...value, depts: listed(next) })}
          />
        )}
      </Row>
      <Names label="岗位" value={value.posts} options={posts} onChange={next => onChange({ ...value, posts: next })} />
    </>
  )
}
