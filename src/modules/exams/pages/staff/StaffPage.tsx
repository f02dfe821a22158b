import { Button, Card, Checkbox, Flex, Input, Segmented, Typography } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import type { Resource } from '#engine'
import { examuser } from '#resources/exams/examuser'
import { ExamStatus } from '#schemas/dictionaries/exam'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { useDictionary } from '../../../../screens/fields/dictionary.ts'
import { useMay } from '../../../../screens/may.ts'
import { Nothing } from '../../../../screens/parts/Nothing.tsx'
import { useEndpoint } from '../../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import { useSmall } from '../../../../screens/window/use-width.ts'
import { type Matrix, type StaffPerson, staffMatrix } from '../../contract.ts'
import { ExamPicker, useExam } from '../parts/ExamPicker.tsx'
import { BulkDialog } from './BulkDialog.tsx'
import { CopyDialog } from './CopyDialog.tsx'
import { limited } from './cover.ts'
import { PersonSelect } from './PersonSelect.tsx'
import { newcomer, StaffCards } from './StaffCards.tsx'
import { StaffMatrix } from './StaffMatrix.tsx'
import { useToggle } from './use-toggle.tsx'

/** What is missing, in one line. */
function Summary({ matrix, role }: { matrix: Matrix; role: string }) {
  const t = useT()
  const lacking = matrix.units.filter(one => one.lacking.length > 0)
  const waiting = lacking.reduce((sum, one) => sum + one.waiting, 0)
  const words = { units: matrix.units.length, lacking: lacking.length, role, n: waiting }
  return (
    <Typography.Text type={lacking.length ? 'danger' : 'secondary'}>
      {lacking.length
        ? t('{{units}} 个单位中有 {{lacking}} 个缺少{{role}}，那里有 {{n}} 人待审', words)
        : t('{{units}} 个单位都有{{role}}', words)}
    </Typography.Text>
  )
}

/** One role of an exam: its units and people, and what is done with several at once. */
function Staff({ matrix, role }: { matrix: Matrix; role: string }) {
  const t = useT()
  const small = useSmall()
  const [params] = useSearchParams()
  const may = useMay(examuser as Resource)('appoint') && matrix.exam.examStatus !== ExamStatus.archived
  const [text, setText] = useState('')
  const [onlyLacking, setOnlyLacking] = useState(false)
  const [added, setAdded] = useState<readonly StaffPerson[]>([])
  const [opened, open] = useState<'bulk' | 'copy' | undefined>(may && params.has('copy') ? 'copy' : undefined)
  const { busy, toggle } = useToggle(matrix)
  const people = [...matrix.people, ...added.filter(one => !matrix.people.some(had => had.userId === one.userId))]
  const units = matrix.units
    .filter(one => !onlyLacking || one.lacking.length > 0)
    .filter(one => `${one.unitName} ${one.unit}`.includes(text.trim()))
  const shown = { units, people, onToggle: may ? toggle : undefined }
  const idle = matrix.people.reduce((sum, one) => sum + one.idle, 0)
  return (
    <Flex vertical gap={12}>
      <div className="staff-tools">
        <Input.Search
          allowClear
          style={{ width: 200 }}
          placeholder={t('查找单位')}
          aria-label={t('查找单位')}
          onChange={event => setText(event.target.value)}
        />
        <Checkbox checked={onlyLacking} onChange={event => setOnlyLacking(event.target.checked)}>
          {t('只看缺人的单位')}
        </Checkbox>
        {may && !small && (
          <div style={{ width: 200 }}>
            <PersonSelect
              examRole={matrix.examRole}
              placeholder={t('添加人员')}
              without={people.map(one => one.userId)}
              onPick={choice => setAdded([...added, newcomer(choice)])}
            />
          </div>
        )}
        {may && (
          <>
            <Button type="primary" onClick={() => open('bulk')}>
              {t('批量授权')}
            </Button>
            <Button onClick={() => open('copy')}>{t('从其他考试复制')}</Button>
          </>
        )}
      </div>
      <Summary matrix={matrix} role={role} />
      {!limited.includes(matrix.examRole) && (
        <Typography.Text type="secondary">{t('此角色不按单位限制权限，单位仅说明分工。')}</Typography.Text>
      )}
      {matrix.units.length === 0 && <Nothing picture="chair" text={t('本考试还没有招聘岗位')} />}
      {matrix.units.length > 0 && people.length === 0 && !small && (
        <Nothing picture="chair" text={t('还没有{{role}}，请添加人员或批量授权', { role })} />
      )}
      {small ? (
        <StaffCards {...shown} examRole={matrix.examRole} />
      ) : (
        units.length > 0 && people.length > 0 && <StaffMatrix {...shown} busy={busy} />
      )}
      {idle > 0 && (
        <Typography.Text type="secondary">{t('另有 {{n}} 条授权已停用或到期，见名单。', { n: idle })}</Typography.Text>
      )}
      {opened === 'bulk' && <BulkDialog matrix={matrix} onClose={() => open(undefined)} />}
      {opened === 'copy' && <CopyDialog examId={matrix.exam.id} onClose={() => open(undefined)} />}
    </Flex>
  )
}

/** Who covers which unit of an exam, role by role. */
export default function StaffPage() {
  const t = useT()
  const chosen = useExam()
  const [examRole, setRole] = useState(2)
  const roles = useDictionary('exam_role')
  const { examId } = chosen
  const matrix = useEndpoint(staffMatrix, { examId, examRole }, { enabled: examId !== '' })
  return (
    <Card>
      <Flex vertical gap={16}>
        {!chosen.isFixed && (
          <Flex justify="end">
            <Link to={`/exam/examuser?examId=${examId}`}>{t('授权名单')}</Link>
          </Flex>
        )}
        <ExamPicker chosen={chosen}>
          <div style={{ maxWidth: '100%', overflowX: 'auto' }}>
            <Segmented
              value={examRole}
              onChange={value => setRole(Number(value))}
              options={roles.entries.map(one => ({ value: Number(one.key), label: roles.word(one.key) }))}
            />
          </div>
        </ExamPicker>
        {!chosen.isPending && !examId && <Nothing picture="chair" text={t('还没有考试')} />}
        {examId !== '' && matrix.isPending && <PageSkeleton />}
        {matrix.data && (
          <Staff key={`${examId} ${examRole}`} matrix={matrix.data} role={roles.word(String(examRole))} />
        )}
      </Flex>
    </Card>
  )
}
