a = <<-EOT
  EOT
b = (c ? <<-EOT
EOT
  : "")
