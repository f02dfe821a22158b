const namespaces = {
  bpmn: 'http://www.omg.org/spec/BPMN/20100524/MODEL',
  bpmndi: 'http://www.omg.org/spec/BPMN/20100524/DI',
  dc: 'http://www.omg.org/spec/DD/20100524/DC',
  flowable: 'http://flowable.org/bpmn',
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** A model that holds nothing but its start. */
export function newModel(key: string, name: string, start: string): string {
  const declared = Object.entries(namespaces).map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions ${declared.join(' ')} targetNamespace="juxian">
  <bpmn:process id="${key}" name="${escaped(name)}" isExecutable="true">
    <bpmn:startEvent id="start" name="${escaped(start)}" flowable:initiator="initiator" />
  </bpmn:process>
  <bpmndi:BPMNDiagram id="drawing">
    <bpmndi:BPMNPlane id="plane" bpmnElement="${key}">
      <bpmndi:BPMNShape id="start_shape" bpmnElement="start">
        <dc:Bounds x="160" y="180" width="36" height="36" />
        <bpmndi:BPMNLabel>
          <dc:Bounds x="148" y="220" width="60" height="14" />
        </bpmndi:BPMNLabel>
      </bpmndi:BPMNShape>
    </bpmndi:BPMNPlane>
  </bpmndi:BPMNDiagram>
</bpmn:definitions>
`
}
