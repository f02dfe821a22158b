import { PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, Flex, Input, Modal, Typography } from 'antd'
import { useState } from 'react'
import { callOf } from '#engine'
import { items as itemLibrary } from '#resources/exams/items'
import { EnableStatus } from '#schemas/dictionaries/administration'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { useDictionary } from '../../../../screens/fields/dictionary.ts'
import { Nothing } from '../../../../screens/parts/Nothing.tsx'
import { useEndpoint, useSend } from '../../../../screens/parts/use-endpoint.ts'
import { addFromLibrary, formInfo } from '../../../exams/contract.ts'

/** Chooses fields of the library for the form; those it has already are shown as taken. */
export function LibraryPicker({ examId, present }: { examId: string; present: readonly string[] }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const groups = useDictionary('item_group')
  const library = useEndpoint(
    callOf(itemLibrary, 'page'),
    { current: 1, size: 200, status: EnableStatus.enabled, ascs: 'sort' },
    { enabled: open },
  )
  const add = useSend(addFromLibrary, { stale: [formInfo] })
  const items = (library.data?.records ?? [])
    .map(({ id, itemName = '', itemCode = '', groupName = '' }) => ({ id, itemName, itemCode, groupName }))
    .filter(item => item.itemName.includes(text.trim()) || item.itemCode.includes(text.trim()))
  const byGroup = [...new Set(items.map(item => item.groupName))]
  const save = () =>
    add.mutateAsync({ examId, itemsIds: chosen }).then(
      () => {
        setOpen(false)
        setChosen([])
      },
      () => undefined,
    )
  return (
    <>
      <Button
        type="primary"
        icon={<PlusOutlined aria-hidden />}
        style={{ alignSelf: 'start' }}
        onClick={() => setOpen(true)}
      >
        {t('从库添加')}
      </Button>
      <Modal
        open={open}
        width={720}
        title={t('从信息项库添加')}
        okText={t('添加 {{n}} 项', { n: chosen.length })}
        okButtonProps={{ disabled: !chosen.length }}
        confirmLoading={add.isPending}
        onOk={save}
        onCancel={() => setOpen(false)}
      >
        <Input.Search
          allowClear
          placeholder={t('查找信息项')}
          aria-label={t('查找信息项')}
          style={{ marginBottom: 12 }}
          onChange={event => setText(event.target.value)}
        />
        {!library.isPending && !items.length && <Nothing picture="magnifier" text={t('没有找到信息项')} />}
        <Checkbox.Group value={chosen} onChange={values => setChosen(values.map(String))} style={{ display: 'block' }}>
          {byGroup.map(group => (
            <div key={group} style={{ marginBottom: 12 }}>
              <Typography.Text type="secondary">{groups.word(group) || t('其他')}</Typography.Text>
              <Flex wrap gap={8} style={{ marginTop: 6 }}>
                {items
                  .filter(item => item.groupName === group)
                  .map(item => (
                    <Checkbox
                      key={item.id}
                      value={item.id}
                      disabled={present.includes(item.itemCode)}
                      style={{ minWidth: 150 }}
                    >
                      {t(item.itemName)}
                      {present.includes(item.itemCode) && (
                        <Typography.Text type="secondary">（{t('已添加')}）</Typography.Text>
                      )}
                    </Checkbox>
                  ))}
              </Flex>
            </div>
          ))}
        </Checkbox.Group>
      </Modal>
    </>
  )
}
