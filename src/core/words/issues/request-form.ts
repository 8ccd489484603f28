// The issue form that a request is written with. What it asks for below "Acceptance criteria" is what its task is judged by.
// https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-issue-forms
import { requestLabelName } from '../labels.ts'

export const requestFormFile = '.github/ISSUE_TEMPLATE/request.yml'

export const requestFormText = `name: Request
description: Something that you need. It becomes a task once somebody entitled has approved it.
labels: [${requestLabelName}]
body:
  - type: textarea
    id: need
    attributes:
      label: What is needed, and why
    validations:
      required: true
  - type: textarea
    id: criteria
    attributes:
      label: Acceptance criteria
      description: One bullet each, so that somebody else can tell whether it holds. The work is judged by these.
      value: "- "
    validations:
      required: true
  - type: textarea
    id: beside
    attributes:
      label: What else is to be known
`
