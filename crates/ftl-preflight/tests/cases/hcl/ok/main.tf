# A comment
terraform {
  required_version = ">= 1.0" // another
}
resource "aws_instance" "web" {
  count = var.enabled ? 1 : 0
  tags  = { Name = "é ${upper("a")} %{ if true }b%{ endif }", (var.key) = 1, "a-b" : 2 }
  list  = [for k, v in var.map : "${k}=${v}" if v != null]
  map   = { for k, v in var.map : k => v... }
  all   = aws_instance.web[*].id
  user_data = <<-EOT
    #!/bin/sh
    echo "${var.name}" $${not} '
  EOT
  number = -1.5e3 + (2 * 3) % 4
  lifecycle { create_before_destroy = true }
}
/* block */
locals { repeated = { a = 1, a = 2, "a" = 3 } }
