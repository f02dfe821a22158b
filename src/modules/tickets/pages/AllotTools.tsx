import { App, Button, Checkbox, Form, Input, InputNumber, Modal, Radio } from 'antd'
import { useState } from 'react'
import type { ValuesOf } from '#engine'
import { ReleaseStatus } from '#schemas/dictionaries/administration'
import { SeatStatus } from '#schemas/dictionaries/exam'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useCanChange } from '../../../screens/may.ts'
import { ReasonButton } from '../../../screens/parts/ReasonButton.tsx'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { useFormDraft } from '../../../screens/use-form-draft.ts'
import {
  clearSeats,
  drawSeats,
  lockSeats,
  recallTickets,
  releaseTickets,
  type StageInfo,
  seatingPlan,
  seatingStages,
  unlockSeats,
} from '../contract.ts'

const stale = [seatingPlan, seatingStages]

type Drawing = Omit<ValuesOf<typeof drawSeats>, 'itemId'>

const begins = { strategy: 3, snake: true, reserve: 0, seed: '', groupBy: [] }

/** How the seats are to be drawn. */
function DrawDialog({ itemId, again, onClose }: { itemId: string; again: boolean; onClose: () => void }) {
  const t = useT()
  const { modal } = App.useApp()
  const [form] = Form.useForm<Drawing>()
  const draft = useFormDraft({ antd: form, form: 'allot/draw', rowId: itemId, begins })
  const draw = useSend(drawSeats, { stale, done: false })
  const run = async () => {
    const values = await form.validateFields()
    const drawn = await draw.mutateAsync({ itemId, ...values })
    draft.saved()
    onClose()
    modal.success({
      title: t('已编排 {{n}} 人，{{m}} 个考场', { n: drawn.total, m: drawn.rooms }),
      content: drawn.unplaced.length
        ? t('{{n}} 人没有座位', { n: drawn.unplaced.length })
        : `${t('随机种子')} ${drawn.seed}`,
    })
  }
  return (
    <Modal
      open
      title={t('编排座位')}
      okText={again ? t('重新编排') : t('编排')}
      confirmLoading={draw.isPending}
      onOk={() => run().catch(() => undefined)}
      onCancel={onClose}
    >
      {draft.bar}
      <Form form={form} layout="vertical" initialValues={begins} onValuesChange={draft.onValuesChange}>
        <Form.Item name="strategy" label={t('编排方式')}>
          <Radio.Group
            options={[
              { value: 1, label: t('完全随机') },
              { value: 2, label: t('按岗位集中') },
              { value: 3, label: t('同单位同岗位分散') },
            ]}
          />
        </Form.Item>
        <Form.Item name="groupBy" label={t('不同场')} tooltip={t('勾选的信息不同的考生不会坐在同一考场')}>
          <Checkbox.Group
            options={[
              { value: 'type', label: t('岗位类别') },
              { value: 'unit', label: t('单位') },
              { value: 'subject', label: t('笔试科目') },
            ]}
          />
        </Form.Item>
        <Form.Item name="snake" valuePropName="checked">
          <Checkbox>{t('座位按列蛇形排列')}</Checkbox>
        </Form.Item>
        <Form.Item name="reserve" label={t('每考场另外预留座位')}>
          <InputNumber min={0} max={99} precision={0} />
        </Form.Item>
        <Form.Item
          name="seed"
          label={t('随机种子')}
          extra={t('留空则新生成；同样的名单、考场和种子得到同样的结果')}
          rules={[{ pattern: /^[0-9A-Za-z_-]{0,64}$/, message: t('随机种子只能是字母和数字') }]}
        >
          <Input maxLength={64} />
        </Form.Item>
      </Form>
    </Modal>
  )
}

/** Asks for a reason before something is taken back. */
function Recall({ itemId }: { itemId: string }) {
  const recall = useSend(recallTickets, { stale })
  const run = (reason: string) => recall.mutateAsync({ itemId, reason })
  return (
    <ReasonButton
      danger
      label="撤回准考证"
      placeholder="请输入撤回原因"
      kept={{ form: 'allot/recall', rowId: itemId }}
      busy={recall.isPending}
      run={run}
    />
  )
}

/** What can be done with a stage's seats now. */
export function AllotTools({ stage }: { stage: StageInfo }) {
  const t = useT()
  const { modal } = App.useApp()
  const [mayAct, mayRelease] = [useCanChange('allot_act'), useCanChange('allot_release')]
  const [drawing, setDrawing] = useState(false)
  const acts = {
    clearAllot: useSend(clearSeats, { stale }),
    lockAllot: useSend(lockSeats, { stale }),
    unlockAllot: useSend(unlockSeats, { stale }),
    releaseTicket: useSend(releaseTickets, { stale }),
  }
  const { itemId, seatStatus, ticketRelease } = stage
  const ask = (name: keyof typeof acts, title: string) => () =>
    modal.confirm({
      title: t(title),
      onOk: () =>
        acts[name].mutateAsync({ itemId }).then(
          () => undefined,
          () => undefined,
        ),
    })
  const ready = stage.people > 0 && stage.people <= stage.capacity && stage.open + stage.moving === 0
  return (
    <>
      {mayAct && seatStatus < SeatStatus.locked && (
        <Button
          type={seatStatus === SeatStatus.none ? 'primary' : 'default'}
          disabled={!ready}
          onClick={() => setDrawing(true)}
        >
          {seatStatus === SeatStatus.none ? t('编排座位') : t('重新编排')}
        </Button>
      )}
      {mayAct && seatStatus === SeatStatus.draft && (
        <Button type="primary" onClick={ask('lockAllot', '锁定后生成准考证号，确定锁定座位?')}>
          {t('锁定座位')}
        </Button>
      )}
      {mayAct && seatStatus === SeatStatus.draft && (
        <Button danger onClick={ask('clearAllot', '确定清空座位草案?')}>
          {t('清空')}
        </Button>
      )}
      {mayRelease && seatStatus === SeatStatus.locked && ticketRelease !== ReleaseStatus.released && (
        <Button type="primary" onClick={ask('releaseTicket', '发布后考生可在下载时间内下载准考证，确定发布?')}>
          {t('发布准考证')}
        </Button>
      )}
      {mayAct && seatStatus === SeatStatus.locked && ticketRelease !== ReleaseStatus.released && (
        <Button onClick={ask('unlockAllot', '解锁后已生成的准考证作废，确定解锁?')}>{t('解锁座位')}</Button>
      )}
      {mayRelease && ticketRelease === ReleaseStatus.released && <Recall itemId={itemId} />}
      {drawing && (
        <DrawDialog itemId={itemId} again={seatStatus === SeatStatus.draft} onClose={() => setDrawing(false)} />
      )}
    </>
  )
}
