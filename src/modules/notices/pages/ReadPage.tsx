import { Card, Flex, Select } from 'antd'
import { useSearchParams } from 'react-router-dom'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictChoice } from '../../../screens/fields/DictChoice.tsx'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { examsOfNotices, type Followed, followedNotices } from '../contract.ts'
import { ReaderTable } from './ReaderTable.tsx'

/** Audiences that are people of an exam. */
const ofExam = ['2', '3']

interface Choice {
  scope1: string
  examId: string
  noticeId: string
}

interface PickersProps {
  choice: Choice
  notices: readonly Followed[]
  onChoose: (values: Partial<Choice>) => void
}

/** Audience, exam and notice, each narrowing the next. */
function Pickers({ choice, notices, onChoose }: PickersProps) {
  const t = useT()
  const { scope1, examId, noticeId } = choice
  const byExam = ofExam.includes(scope1)
  const exams = useEndpoint(examsOfNotices, { scope1: Number(scope1) }, { enabled: byExam })
  const wide = { width: 320, maxWidth: '100%' }
  return (
    <Flex wrap gap={12}>
      <div style={{ width: 180 }}>
        <DictChoice
          code="notice_scope"
          aria-label={t('发布范围')}
          placeholder={t('发布范围')}
          value={scope1 ? Number(scope1) : undefined}
          onChange={value => onChoose({ scope1: value === undefined ? '' : String(value) })}
          many={false}
        />
      </div>
      {byExam && (
        <Select
          allowClear
          style={wide}
          aria-label={t('考试')}
          placeholder={t('全部考试')}
          value={examId || undefined}
          options={(exams.data ?? []).map(one => ({ value: one.id, label: one.examName }))}
          onChange={value => onChoose({ scope1, examId: value ?? '' })}
        />
      )}
      <Select
        showSearch={{ optionFilterProp: 'label' }}
        style={wide}
        aria-label={t('公告')}
        placeholder={t('请选择公告')}
        value={noticeId || undefined}
        options={notices.map(one => ({ value: one.id, label: one.title }))}
        onChange={value => onChoose({ scope1, examId, noticeId: value })}
      />
    </Flex>
  )
}

/** Who has read a notice, who has confirmed it, and who has not. */
export default function ReadPage() {
  const t = useT()
  const [params, setParams] = useSearchParams()
  const [scope1, examId] = [params.get('scope1') ?? '', params.get('examId') ?? '']
  const narrowed = { ...(scope1 && { scope1: Number(scope1) }), ...(ofExam.includes(scope1) && examId && { examId }) }
  const notices = useEndpoint(followedNotices, narrowed)
  const known = notices.data ?? []
  const noticeId = params.get('noticeId') ?? known[0]?.id ?? ''
  const choose = (values: Partial<Choice>) =>
    setParams(Object.fromEntries(Object.entries(values).filter(([, value]) => value)), { replace: true })
  return (
    <Card>
      <Flex vertical gap={16}>
        <Pickers choice={{ scope1, examId, noticeId }} notices={known} onChoose={choose} />
        {noticeId ? (
          <ReaderTable
            key={noticeId}
            noticeId={noticeId}
            needSure={known.some(one => one.id === noticeId && one.needSure === 1)}
          />
        ) : (
          <Nothing picture="letter" text={t('还没有发布过公告')} />
        )}
      </Flex>
    </Card>
  )
}
