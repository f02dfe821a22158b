import { UserAddOutlined } from '@ant-design/icons'
import { Alert, Button, Modal, Select } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { useEndpoint, useSend } from '../../../../screens/parts/use-endpoint.ts'
import { appointProctors, checkInRooms, type Room, stageProctors } from '../../check-in/contract.ts'
import { placeText } from './words.ts'

/** Says who stands at the door of a room. */
export function ProctorsButton({ itemId, room }: { itemId: string; room: Room }) {
  const t = useT()
  const [chosen, choose] = useState<string[] | null>(null)
  const open = chosen !== null
  const known = useEndpoint(stageProctors, { itemId }, { enabled: open })
  const save = useSend(appointProctors, { stale: [checkInRooms] })
  const close = (): void => choose(null)
  return (
    <>
      <Button icon={<UserAddOutlined aria-hidden />} onClick={() => choose(room.proctors.map(one => one.userId))}>
        {t('安排监考')}
      </Button>
      <Modal
        open={open}
        title={t('安排监考：{{room}}', { room: placeText(room) })}
        confirmLoading={save.isPending}
        onOk={() => save.mutateAsync({ roomId: room.roomId, userIds: chosen ?? [] }).then(close, () => undefined)}
        onCancel={close}
      >
        <Select
          mode="multiple"
          autoFocus
          style={{ width: '100%' }}
          aria-label={t('监考员')}
          placeholder={t('选择监考员')}
          loading={known.isPending}
          showSearch={{ optionFilterProp: 'label' }}
          value={chosen ?? []}
          options={known.data?.map(one => ({ value: one.userId, label: one.name }))}
          onChange={choose}
        />
        {known.data?.length === 0 && (
          <Alert
            type="info"
            showIcon
            style={{ marginBlockStart: 12 }}
            title={t('本考试还没有监考人员')}
            description={<Link to="/exam/examuser">{t('请先在考试工作人员中以“监考”角色添加。')}</Link>}
          />
        )}
      </Modal>
    </>
  )
}
