from {{ project.module }} import main
