import { ArrowLeftOutlined } from '@ant-design/icons'
import { Alert, Button, Flex, Input, Typography } from 'antd'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { ExamineResult, ExamineStage } from '#schemas/dictionaries/sign-up'
import { useT } from '../../../platform/i18n/i18n.ts'
import { MayLink } from '../../../screens/parts/MayLink.tsx'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { ShowsRows } from '../../../screens/ShowsRows.tsx'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { meantForPage } from '../../../screens/window/page-keys.ts'
import { History, Notices, Person, Precheck } from './Facts.tsx'
import { FileViewer } from './FileViewer.tsx'
import { FormView } from './FormView.tsx'
import { RevokeButton } from './RevokeButton.tsx'
import { Tips } from './Tips.tsx'
import './review.css'
import { reopenLatest } from '../../../screens/window/undo.tsx'
import { lists, useReview, type Verdict } from './use-review.ts'

type Desk = ReturnType<typeof useReview>

/**
 * Keys for those who review all day: 1 pass, 2 refuse, 3 return, J next, Z take the latest back, / the opinion. Typing in a field is
 * left alone, a key held down counts once, and what has no button on the page has no key either.
 */
function useKeys(desk: Desk, focus: () => void): void {
  const latest = useRef({ desk, focus })
  latest.current = { desk, focus }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { desk, focus } = latest.current
      if (!meantForPage(event)) return
      if (/^[123]$/.test(event.key)) {
        // It may put the cursor into the opinion, and is no part of it.
        event.preventDefault()
        void desk.decide(Number(event.key) as Verdict)
      } else if (event.key === 'j' && desk.info?.nextId) desk.open(desk.info.nextId)
      else if (event.key === 'k') history.back()
      else if (event.key === 'z') reopenLatest()
      else if (event.key === '/' && desk.isOpen) {
        event.preventDefault()
        focus()
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** The decision: an opinion and three buttons, or why there is nothing to decide. */
function Decision({ desk, box }: { desk: Desk; box: React.RefObject<{ focus: () => void } | null> }) {
  const t = useT()
  const { nextId } = desk.info ?? {}
  const next = nextId && (
    <Button type="text" onClick={() => desk.open(nextId)}>
      {t('下一份 (J)')}
    </Button>
  )
  if (!desk.isOpen) {
    return (
      <div className="review-bar">
        <Flex justify="space-between" align="center" wrap gap={8}>
          <Typography.Text type="secondary">{t('该报名当前不需要您审核')}</Typography.Text>
          {desk.remark && (
            <Typography.Text copyable={{ text: desk.remark }}>
              {t('您写的意见：{{text}}', { text: desk.remark })}
            </Typography.Text>
          )}
          <RevokeButton
            key={desk.id}
            id={desk.id}
            version={desk.info?.version}
            can={desk.info?.can.revoke}
            asks={desk.asksReason}
          />
          {next}
        </Flex>
      </div>
    )
  }
  const back = desk.stage === ExamineStage.second ? t('退回初审 (3)') : t('退回修改 (3)')
  return (
    <div className="review-bar">
      <Flex gap={12} wrap align="end">
        {desk.draft}
        <Input.TextArea
          ref={box as never}
          style={{ flex: '1 1 320px' }}
          autoSize={{ minRows: 1, maxRows: 5 }}
          status={desk.isLacking ? 'error' : undefined}
          aria-invalid={desk.isLacking}
          maxLength={500}
          aria-label={t('审核意见')}
          placeholder={t('审核意见（不通过、退回时必填），按 / 键输入')}
          value={desk.remark}
          onChange={event => desk.write(event.target.value)}
        />
        <Flex gap={8} wrap>
          <Tips onPick={text => desk.write([desk.remark.trim(), text].filter(Boolean).join('；'))} />
          <Button type="primary" loading={desk.busy} onClick={() => desk.decide(ExamineResult.approved)}>
            {t('通过 (1)')}
          </Button>
          <Button danger disabled={desk.busy} onClick={() => desk.decide(ExamineResult.rejected)}>
            {t('不通过 (2)')}
          </Button>
          {!desk.info?.can.move && (
            <Button disabled={desk.busy} onClick={() => desk.decide(ExamineResult.returned)}>
              {back}
            </Button>
          )}
          {next}
        </Flex>
      </Flex>
    </div>
  )
}

/** The form at the left, the papers at the right, the decision below. */
export default function ReviewPage() {
  const t = useT()
  const go = useNavigate()
  const box = useRef<{ focus: () => void }>(null)
  const focus = (): void => box.current?.focus()
  const desk = useReview(focus)
  useKeys(desk, focus)
  if (desk.read.isPending) return <PageSkeleton />
  if (!desk.info)
    return (
      <NoAnswer error={desk.read.error}>
        <Button onClick={() => go('/examine/list')}>{t('返回列表')}</Button>
      </NoAnswer>
    )
  const { info } = desk
  return (
    <>
      <Flex align="center" gap={8} style={{ marginBottom: 12 }}>
        <Button
          type="text"
          icon={<ArrowLeftOutlined aria-hidden />}
          aria-label={t('返回列表')}
          onClick={() => go(lists[desk.stage])}
        />
        <Typography.Title level={4} style={{ margin: 0 }}>
          {info.signup.name} · <MayLink to={`/exam/${info.signup.examId}`}>{info.signup.examName}</MayLink>
        </Typography.Title>
        {desk.place && (
          <Typography.Text
            type="secondary"
            className="review-place"
            aria-label={t('第 {{at}} 份，共 {{of}} 份', desk.place)}
          >
            {`${desk.place.at} / ${desk.place.of}`}
          </Typography.Text>
        )}
      </Flex>
      <div className="review">
        <Flex vertical gap={12}>
          <Notices info={info} />
          <ShowsRows>
            <Person info={info} />
          </ShowsRows>
          <Precheck info={info} />
          <FormView info={info} marks={desk.marks} onMark={desk.mark} disabled={!desk.isOpen} />
          <History info={info} />
        </Flex>
        <div className="review-side">
          <FileViewer key={desk.id} files={info.files} photoUrl={info.signup.photoUrl} />
        </div>
      </div>
      {desk.read.isError && <Alert type="warning" title={t('没有取到最新数据')} />}
      <Decision desk={desk} box={box} />
    </>
  )
}
