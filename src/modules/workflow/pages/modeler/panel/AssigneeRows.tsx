import { type ReactNode, useState } from 'react'
import { useT } from '../../../../../platform/i18n/i18n.ts'
import { RefSelect } from '../../../../../screens/fields/RefSelect.tsx'
import { staffOnly } from '../../staff-only.ts'
import type { Shape } from '../editor.ts'
import { type Assignee, listed, readAssignee, readGroups, variableName, writeAssignee, writeGroups } from '../people.ts'
import { GroupRows, PeopleRow } from './GroupSelects.tsx'
import { useEditor } from './knowledge.ts'
import { ChoiceRow, Row, TextRow } from './rows.tsx'

const ways = {
  nobody: '候选人中的一人',
  initiator: '发起人',
  leader: '发起人的部门负责人',
  user: '指定人员',
  variable: '变量中的人',
  text: '账号或表达式',
} as const satisfies Record<Assignee['by'], string>

/** What is wrong with the name of a variable, in Chinese. */
export const nameProblem = (name: string): string | undefined =>
  name === '' || variableName.test(name) ? undefined : '变量名只能含字母、数字和下划线，不能以数字开头'

const empty: Readonly<Record<Assignee['by'], Assignee>> = {
  nobody: { by: 'nobody' },
  initiator: { by: 'initiator' },
  leader: { by: 'leader' },
  user: { by: 'user', id: '' },
  variable: { by: 'variable', name: '' },
  text: { by: 'text', text: '' },
}

/** Who does a user task. */
export function AssigneeRows({ of }: { of: Shape }): ReactNode {
  const editor = useEditor()
  const written = of.businessObject.get<string>('flowable:assignee')
  const read = readAssignee(written)
  // A way that names nobody yet cannot stand in the model.
  const [begun, begin] = useState<Assignee['by']>()
  const who = begun && read.by === 'nobody' ? empty[begun] : read
  const set = (next: Assignee): void => editor.set(of, { 'flowable:assignee': writeAssignee(next) || undefined })
  const turn = (by: Assignee['by']): void => {
    begin(by)
    const isWhole = by === 'nobody' || by === 'initiator' || by === 'leader'
    if (isWhole || written) set(isWhole ? empty[by] : { by: 'nobody' })
  }
  return (
    <>
      <ChoiceRow label="办理人" value={who.by} options={ways} onChange={turn} />
      {who.by === 'user' && (
        <Row label="人员">
          {id => (
            <RefSelect
              entity="user"
              params={staffOnly}
              id={id}
              value={who.id || undefined}
              onChange={next => set(next ? { by: 'user', id: next } : { by: 'nobody' })}
            />
          )}
        </Row>
      )}
      {who.by === 'variable' && (
        <TextRow
          label="变量名"
          value={who.name}
          check={nameProblem}
          maxLength={64}
          help="表单中的字段，或发起时自选的办理人"
          onChange={name => set(name ? { by: 'variable', name } : { by: 'nobody' })}
        />
      )}
      {who.by === 'text' && (
        <TextRow
          label="账号或表达式"
          value={who.text}
          placeholder="${ }"
          onChange={text => set(text ? { by: 'text', text } : { by: 'nobody' })}
        />
      )}
      {who.by === 'nobody' && <CandidateRows of={of} />}
    </>
  )
}

/** Whom a task waits for until one of them takes it. */
function CandidateRows({ of }: { of: Shape }): ReactNode {
  const t = useT()
  const editor = useEditor()
  const users = listed(of.businessObject.get<string>('flowable:candidateUsers'))
  const ids = users.filter(one => /^\d+$/.test(one))
  const others = users.filter(one => !ids.includes(one))
  const setUsers = (next: readonly string[]): void =>
    editor.set(of, { 'flowable:candidateUsers': next.join(',') || undefined })
  return (
    <>
      <h3>{t('候选人')}</h3>
      <PeopleRow label="人员" value={ids.join(',')} onChange={next => setUsers([...listed(next), ...others])} />
      <GroupRows
        value={readGroups(of.businessObject.get<string>('flowable:candidateGroups'))}
        onChange={next => editor.set(of, { 'flowable:candidateGroups': writeGroups(next) })}
      />
      {others.length > 0 && (
        <TextRow
          label="其他候选人"
          value={others.join(',')}
          help="账号或表达式，用逗号分隔"
          onChange={next => setUsers([...ids, ...listed(next)])}
        />
      )}
    </>
  )
}
